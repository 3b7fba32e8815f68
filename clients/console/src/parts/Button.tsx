import type { ButtonHTMLAttributes } from 'react';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'main' | 'danger' | 'plain';
  /** While its action is running. */
  readonly busy?: boolean;
}

export function Button({
  kind,
  busy = false,
  type = 'button',
  disabled,
  className = '',
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={`button ${className}`}
      data-kind={kind}
      disabled={disabled === true || busy}
      aria-busy={busy}
    />
  );
}
