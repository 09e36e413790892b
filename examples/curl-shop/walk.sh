#!/bin/sh
# Walks a membership into past_due and back, with curl. It needs curl, jq, openssl and busybox.
set -eu
cd "$(dirname "$0")"
folder=$(mktemp -d)
started=

# Stop what was started, however this script ends. The minus sign names the process and its children.
stop() {
  for process in $started; do kill -s TERM -- "-$process" || true; done
  wait
  rm -r "$folder"
}
trap stop EXIT
trap 'exit 130' INT TERM

# 1. Start the service on a free port. With --json, it prints one line: where it is, and the token of its control API.
mkfifo "$folder/printed"
setsid npx centavo serve --port 0 --json >"$folder/printed" &
started="$started $!"
read -r service <"$folder/printed"
url=$(echo "$service" | jq --raw-output .url)
token=$(echo "$service" | jq --raw-output .controlToken)

# call METHOD URL [BODY]: calls the control API. `--fail-with-body` shows what was wrong with a call that is refused.
call() {
  curl --silent --show-error --fail-with-body --request "$1" "$2" \
    --header "Authorization: Bearer $token" --header 'Content-Type: application/json' ${3:+--data "$3"}
}

# 2. Open a world: payments, credentials and a time of its own. You choose its name. Time stands until you move it.
world=$(call PUT "$url/_centavo/worlds/walk" '{}')
control=$(echo "$world" | jq --raw-output .controlUrl)
PAYMENTS_URL=$(echo "$world" | jq --raw-output .baseUrl)
PAYMENTS_CLIENT_ID=$(echo "$world" | jq --raw-output .credentials.clientId)
PAYMENTS_CLIENT_SECRET=$(echo "$world" | jq --raw-output .credentials.clientSecret)
PAYMENTS_WEBHOOK_SECRET=$(echo "$world" | jq --raw-output .credentials.webhookSecret)
SHOP_FOLDER=$PWD
SHOP_STORE=$folder/membership.json
export PAYMENTS_URL PAYMENTS_CLIENT_ID PAYMENTS_CLIENT_SECRET PAYMENTS_WEBHOOK_SECRET SHOP_FOLDER SHOP_STORE
. ./payments.sh

# 3. Start the shop. Its webhook route is public/cgi-bin/webhooks, a script.
shop=127.0.0.1:${PORT:-3000}
setsid busybox httpd -f -p "$shop" -h public &
started="$started $!"

# What the shop has learned from events.
expect() {
  status=$(jq --raw-output .status "$SHOP_STORE")
  if [ "$status" != "$1" ]; then
    echo "The membership is $status. It should be $1." >&2
    exit 1
  fi
  echo "The membership is $status."
}

# 4. Ana joins. The payment goes through when the world settles, and the events go to the shop.
plan=$(payments POST /api/subscription/plans '{"name": "reader", "amount": 19900, "interval": "month"}' reader | jq .id)
subscription=$(payments POST /api/subscription/initiate "{
  \"planId\": $plan, \"externalId\": \"ana\", \"webhookUrl\": \"http://$shop/cgi-bin/webhooks\",
  \"returnUrl\": \"http://$shop/\", \"contact\": {\"name\": \"Ana Cruz\", \"email\": \"ana@customer.example\"}
}" ana | jq --raw-output .id)
payments POST /api/subscription/process-payment \
  "{\"subscriptionId\": \"$subscription\", \"paymentMethodId\": \"pm_card_approved\"}" ana-pays >/dev/null
call POST "$control/clock/settle" '{}' >/dev/null
expect active

# 5. A month later, the bank declines the renewal.
call POST "$control/faults" '{"kind": "processor.decline", "code": "insufficient_funds", "times": 1}' >/dev/null
call POST "$control/clock/advance" '{"duration": "1 month"}' >/dev/null
expect past_due

# 6. Another card pays what is owed.
payments PATCH "/api/subscription/$subscription/payment-method" '{"paymentMethodId": "pm_card_approved"}' ana-changes >/dev/null
call POST "$control/clock/settle" '{}' >/dev/null
expect active

# 7. The shop answered every event: no delivery failed.
failures=$(call GET "$control/webhooks/failures" | jq '.failures | length')
if [ "$failures" != 0 ]; then
  echo "$failures events were not delivered." >&2
  exit 1
fi
call DELETE "$url/_centavo/worlds/walk"
