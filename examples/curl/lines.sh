#!/bin/sh
# A line is activated, a month later it uses too much, a callback and a mail follow.
set -eu
account=0000700001-00001
imei=990000000000011

# The value of a text in the JSON on standard input.
text() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'; }
fail() { echo "$1" >&2; exit 1; }
as_user() { curl -sS --fail-with-body -H "Authorization: Bearer $token" -H "SVC-M2M-Token: ${session:-}" -H 'Content-Type: application/json' "$@"; }
as_operator() { curl -sS --fail-with-body -H "Authorization: Bearer $LINEKEEPER_OPERATOR_KEY" -H 'Content-Type: application/json' "$@"; }

token=$(curl -sS --fail-with-body -u "$LINEKEEPER_CLIENT_ID:$LINEKEEPER_CLIENT_SECRET" \
  -d grant_type=client_credentials "$LINEKEEPER_URL/ts/v1/oauth2/token" | text access_token)
session=$(as_user -d '{"username":"'"$LINEKEEPER_USERNAME"'","password":"'"$LINEKEEPER_PASSWORD"'"}' \
  "$LINEKEEPER_URL/m2m/v1/session/login" | text sessionToken)

request=$(as_user -d '{"accountName":"'$account'","devices":[{"deviceIds":[{"id":"'$imei'","kind":"imei"}]}],
  "servicePlan":"LK-PAYG-5MB","mdnZipCode":"76051"}' "$LINEKEEPER_URL/m2m/v1/devices/actions/activate" | text requestId)

# A move of the clock ends when all is done that was begun or fell due.
now=$(as_operator -d '{"advance":"P30D"}' "$LINEKEEPER_URL/operator/v1/clock" | text now)
as_operator "$LINEKEEPER_URL/operator/v1/callbacks?requestId=$request" | grep -q '"status":"Success"' ||
  fail 'the line was not activated'

as_operator -d '[{"id":"usage-1","kind":"imei","device":"'$imei'","at":"'"$now"'","bytes":5000000}]' \
  "$LINEKEEPER_URL/operator/v1/usage" > /dev/null
as_operator "$LINEKEEPER_URL/operator/v1/callbacks?accountName=$account&serviceName=AlertService" |
  grep -q '"triggerName":"Truck beyond 4 MB"' || fail 'there is no callback about the line'
as_operator "$LINEKEEPER_URL/operator/v1/mail" | grep -q 'ada.thornbury@larkmoor.example' ||
  fail 'there is no mail about the line'
echo 'The line was activated and reported.'
