#!/bin/sh
# A signed call made with nothing but openssl and curl: what any language needs to do, in about thirty lines.
#
#   examples/call.sh [ALGORITHM] [PATH]
#
# ALGORITHM: RSA-SHA256, HMAC-SHA512 (scheme 1), RSA-SHA256-V2 or HMAC-SHA512-V2 (scheme 2, the default).
# Credentials come from .tillgate/sandbox.json, or from the file that SANDBOX_FILE names.
set -eu

algorithm=${1:-RSA-SHA256-V2}
path=${2:-/api/v1/balance/info}
file=${SANDBOX_FILE:-$(dirname "$0")/../.tillgate/sandbox.json}
[ -r "$file" ] || { echo "There is no $file: start the service first (npm start)." >&2; exit 1; }

value() { sed -n "s/^ *\"$1\": \"\(.*\)\",\{0,1\}\$/\1/p" "$file"; }
base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }

base_url=$(value base_url)
project_id=$(value project_id)
body="{\"general\":{\"project_id\":\"$project_id\"}}"
timestamp=$(date +%s)
case $algorithm in
  *-V2) message=$(printf 'POST\n%s\n%s\n%s' "$path" "$timestamp" "$(printf %s "$body" | openssl dgst -sha256 -r | cut -d' ' -f1)") ;;
  *) message=$(printf 'general:project_id:%s' "$project_id" | base64url)$timestamp ;;
esac

case $algorithm in
  RSA-*)
    token=$(value rsa_access_token)
    key=$(mktemp) && trap 'rm -f "$key"' EXIT
    printf %b "$(value rsa_private_key_pem)" > "$key"
    if [ "$algorithm" = RSA-SHA256 ]; then # Scheme 1 signs the digest of the message.
      signature=$(printf %s "$message" | openssl dgst -sha256 -binary | openssl dgst -sha256 -sign "$key" | base64url)
    else
      signature=$(printf %s "$message" | openssl dgst -sha256 -sign "$key" | base64url)
    fi
    ;;
  HMAC-*)
    token=$(value hmac_key_id)
    # Fine for a sandbox; elsewhere use a library, since others on this machine can see a program's arguments.
    signature=$(printf %s "$message" | openssl dgst -sha512 -hmac "$(value hmac_secret)" -binary | base64url)
    ;;
  *)
    echo "There is no algorithm $algorithm: see the first lines of this file." >&2
    exit 2
    ;;
esac

curl --silent --show-error --fail-with-body "$base_url$path" \
  -H 'content-type: application/json' \
  -H "x-access-timestamp: $timestamp" \
  -H "x-access-merchant-id: $(value merchant_id)" \
  -H "x-access-token: $token" \
  -H "x-access-merchant-algorithm: $algorithm" \
  -H "x-access-signature: $signature" \
  --data-binary "$body"
