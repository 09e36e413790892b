# How the shop calls the payment service. Scripts source this file.

# payments METHOD PATH [BODY] [KEY]: prints the data of the answer.
# A call that changes something has an idempotency key, so it is safe to make it again when no answer comes.
payments() {
  access_token=$(curl --silent --show-error --fail --retry 2 "$PAYMENTS_URL/oauth" \
    --data grant_type=client_credentials \
    --data "client_id=$PAYMENTS_CLIENT_ID" --data "client_secret=$PAYMENTS_CLIENT_SECRET" | jq --raw-output .access_token)
  curl --silent --show-error --fail --retry 2 --request "$1" "$PAYMENTS_URL$2" \
    --header "Authorization: Bearer $access_token" --header 'Content-Type: application/json' \
    ${3:+--data "$3"} ${4:+--header "Idempotency-Key: $4"} | jq .data
}
