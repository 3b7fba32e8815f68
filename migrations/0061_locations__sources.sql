-- What is known of the sources of positions: a row for each that has failed.
create table position_source (
  source        text primary key,
  -- Since when it has not answered; null if it answered last.
  silent_since  timestamptz,
  last_error    text not null,
  last_error_at timestamptz not null
);
