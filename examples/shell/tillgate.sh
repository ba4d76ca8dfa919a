#!/bin/sh
# Tillgate from a POSIX shell, with nothing but awk, od, openssl and curl. Copy this file and change it.
#
#   sh tillgate.sh call PATH [BODY]    makes one signed call; BODY is sent exactly as it is given
#   sh tillgate.sh payin               makes a whole pay-in in the sandbox
#   sh tillgate.sh verify KEY [FILE]   verifies a callback: its headers, an empty line, its body (FILE or stdin).
#                                      KEY is webhook (Standard Webhooks), or rsa or hmac (the x-access-… headers)
#   sh tillgate.sh vectors FILE        checks this program against docs/signing-vectors.json
#
# Credentials come from .tillgate/sandbox.json, or from the file that TILLGATE_SANDBOX names. TILLGATE_ALGORITHM is
# RSA-SHA256 or HMAC-SHA512 (scheme 1), RSA-SHA256-V2 or HMAC-SHA512-V2 (scheme 2; the default is HMAC-SHA512-V2).
#
# Secrets are never arguments of a program, where other users of the machine could see them: they go through pipes, and
# through files that only you can read.
set -eu
umask 077
export LC_ALL=C # awk and sort work on bytes

ATTEMPTS=3
TIMEOUT_S=10
TOLERANCE_S=300
WAIT_S=60

credentials=${TILLGATE_SANDBOX:-.tillgate/sandbox.json}
algorithm=${TILLGATE_ALGORITHM:-HMAC-SHA512-V2}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

refuse() {
  echo "Refused: $1" >&2
  exit 1
}

# --- JSON, as much of it as this file needs: whole numbers, at most 32 levels.
# mode normalise: scheme 1's normalised text. mode get: the value at the path `want`, such as general:payment_id.
# mode unpack: each value into a file of its own, in the directory `want`.
# mode plain: refuses what only a forger of scheme 1 would send.
# shellcheck disable=SC2016 # a program of awk
JSON='
function fail() { exit 1 }
function space() { while (index(" \t\r\n", substr(text, at, 1)) && at <= length(text)) at++ }
function take(wanted) { space(); if (substr(text, at, 1) != wanted) return 0; at++; return 1 }
function value(path, depth,   next4) {
  if (depth > 32) fail()
  space()
  next4 = substr(text, at, 4)
  if (take("{")) members(path, depth)
  else if (take("[")) elements(path, depth)
  else if (substr(text, at, 1) == "\"") leaf(path, string(), 1)
  else if (next4 == "true") { at += 4; leaf(path, "1", 0) }
  else if (next4 == "null") { at += 4; leaf(path, "None", 0) }
  else if (substr(text, at, 5) == "false") { at += 5; leaf(path, "0", 0) }
  else leaf(path, number(), 0)
}
function members(path, depth,   name) {
  if (take("}")) return
  do {
    space()
    name = string()
    if (name !~ /^[A-Za-z][A-Za-z0-9_-]*$/) notPlain = 1
    if (depth == 0) top[name] = 1
    if (!take(":")) fail()
    value(path name ":", depth + 1)
  } while (take(","))
  if (!take("}")) fail()
}
function elements(path, depth,   place) {
  if (take("]")) return
  do value(path (place++ + 0) ":", depth + 1); while (take(","))
  if (!take("]")) fail()
}
function string(   made, c) {
  if (substr(text, at++, 1) != "\"") fail()
  for (;;) {
    c = substr(text, at++, 1)
    if (c == "\"") return made
    if (c < " ") fail() # the end of the text, too
    made = made (c == "\\" ? escaped() : c)
  }
}
function escaped(   c, high, low) {
  c = substr(text, at++, 1)
  if (c == "b") return "\b"
  if (c == "f") return "\f"
  if (c == "n") return "\n"
  if (c == "r") return "\r"
  if (c == "t") return "\t"
  if (c == "\"" || c == "\\" || c == "/") return c
  if (c != "u") fail()
  high = hex4()
  if (high < 55296 || high > 57343) return utf8(high)
  if (high > 56319 || substr(text, at, 2) != "\\u") fail() # half of a surrogate pair
  at += 2
  low = hex4()
  if (low < 56320 || low > 57343) fail()
  return utf8(65536 + (high - 55296) * 1024 + low - 56320)
}
function hex4(   digit, place, made) {
  for (place = 0; place < 4; place++) {
    digit = index("0123456789abcdef", tolower(substr(text, at++, 1)))
    if (digit == 0 || at > length(text) + 1) fail()
    made = made * 16 + digit - 1
  }
  if (made == 0) fail() # awk has no such character
  return made
}
function utf8(point) {
  if (point < 128) return sprintf("%c", point)
  if (point < 2048) return sprintf("%c%c", 192 + int(point / 64), 128 + point % 64)
  if (point < 65536) return sprintf("%c%c%c", 224 + int(point / 4096), 128 + int(point / 64) % 64, 128 + point % 64)
  return sprintf("%c%c%c%c", 240 + int(point / 262144), 128 + int(point / 4096) % 64, 128 + int(point / 64) % 64, 128 + point % 64)
}
function number(   digits) {
  if (!match(substr(text, at, 40), /^[-+.0-9eE]+/)) fail()
  digits = substr(text, at, RLENGTH)
  at += RLENGTH
  if (digits !~ /^(0|-?[1-9][0-9]*)$/) fail() # both schemes agree on whole numbers only
  return digits
}
function leaf(path, printed, isString) {
  count++
  lines[count] = path printed
  if (isString) strings[count] = printed
  if (path ~ /^status:/ && isString && printed == "None") notPlain = 1
  if (mode == "get" && path == want ":") { found = 1; wanted = printed }
  if (mode == "unpack") { file = want "/" path; printf "%s", printed > file; close(file) }
}
# UTF-8 and UTF-16 sort alike, except that UTF-16 puts U+E000 to U+FFFF, which begin with the bytes EE and EF, after the
# characters beyond them, which begin with F0 to F4.
function utf16Order(line) { gsub("\356", "\365", line); gsub("\357", "\366", line); return line }
function sort(   i, j, line, key) {
  for (i = 1; i <= count; i++) {
    line = lines[i]
    key = utf16Order(line)
    for (j = i - 1; j > 0 && keys[j] > key; j--) { lines[j + 1] = lines[j]; keys[j + 1] = keys[j] }
    lines[j + 1] = line
    keys[j + 1] = key
  }
}
function isPlain(   name, i) {
  split("project_id general status payment_info requisites integration event", names, " ")
  for (i in names) top[names[i]] = 1
  for (name in top) for (i in strings) if (index(strings[i], ";" name ":")) return 0
  return !notPlain
}
{ text = text lineEnd $0; lineEnd = "\n" }
END {
  at = 1
  value("", 0)
  space()
  if (at <= length(text)) fail()
  if (mode == "get") { if (!found) exit 3; printf "%s", wanted }
  if (mode == "plain" && !isPlain()) exit 4
  if (mode == "normalise") { sort(); for (i = 1; i <= count; i++) printf "%s%s", (i > 1 ? ";" : ""), lines[i] }
}'

json() { awk -v mode="$1" -v want="${2-}" "$JSON"; }
credential() { json get "$1" < "$credentials" || refuse "$credentials has no $1: start the service first (npm start)"; }

# --- Encodings

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
hex() { od -An -v -tx1 | tr -d ' \n'; }
sha256_hex() { openssl dgst -sha256 -r | cut -d ' ' -f 1; }

# Hex on stdin, bytes on stdout: padded with zeros to $1 bytes, and each byte XOR $2.
# shellcheck disable=SC2059 # the format is octal escapes alone
unhex() {
  printf "$(awk -v size="${1-0}" -v mask="${2-0}" '{
    for (i = 1; i <= length($0) || i < size * 2; i += 2) {
      byte = digit(substr($0, i, 1)) * 16 + digit(substr($0, i + 1, 1))
      made = 0
      for (bit = 1; bit < 256; bit *= 2) if (int(byte / bit) % 2 != int(mask / bit) % 2) made += bit
      printf "\\%03o", made
    }
  }
  function digit(c) { return c == "" ? 0 : index("0123456789abcdef", c) - 1 }')"
}

# One text for each value: padding, the other alphabet and spare bits in the last character are refused.
decode_base64url() { # TEXT FILE
  case $1 in '' | *[!A-Za-z0-9_-]*) return 1 ;; esac
  case $((${#1} % 4)) in 1) return 1 ;; 2) padding='==' ;; 3) padding='=' ;; *) padding='' ;; esac
  printf '%s%s' "$1" "$padding" | tr '_-' '/+' | openssl base64 -d -A > "$2"
  [ "$(base64url < "$2")" = "$1" ]
}

# The shell cannot compare in constant time. How far two digests agree says nothing of how far the texts do.
is_same() { [ "$(printf %s "$1" | sha256_hex)" = "$(printf %s "$2" | sha256_hex)" ]; }

# --- Signatures

# HMAC of stdin, in hex. KEY_HEX is at most a block of the digest: 128 bytes of SHA-512, 64 of SHA-256.
hmac_hex() { # DIGEST BLOCK KEY_HEX
  inner=$({ printf '%s\n' "$3" | unhex "$2" 54; cat; } | openssl dgst "-$1" -binary | hex)
  { printf '%s\n' "$3" | unhex "$2" 92; printf '%s\n' "$inner" | unhex; } | openssl dgst "-$1" -binary | hex
}

hmac_sha512() { hmac_hex sha512 128 "$(printf %s "$1" | hex)" | { cat; echo; } | unhex | base64url; } # SECRET

message_of() { # ALGORITHM METHOD PATH TIMESTAMP BODY_FILE
  case $1 in
    *-V2) printf '%s\n%s\n%s\n%s' "$2" "$3" "$4" "$(sha256_hex < "$5")" ;;
    *) json normalise < "$5" > "$work/normalised" && printf '%s%s' "$(base64url < "$work/normalised")" "$4" ;;
  esac
}

# What RSA signs. Scheme 1 signs the digest of the message, so SHA-256 runs twice.
rsa_input() { # ALGORITHM MESSAGE
  case $1 in *-V2) printf %s "$2" ;; *) printf %s "$2" | openssl dgst -sha256 -binary ;; esac
}

rsa_verifies() { # ALGORITHM MESSAGE PEM_FILE SIGNATURE_FILE
  rsa_input "$1" "$2" > "$work/signed"
  openssl dgst -sha256 -verify "$3" -signature "$4" "$work/signed" > /dev/null 2>&1
}

# --- Calls

# Sends the file $2 to the path $1; the answer is in $work/answer and its HTTP status in $status. After silence, 429 or
# 5xx the same bytes are sent again, signed again: the service knows the payment by its payment_id, so repeating never
# pays twice. A new id would.
send() {
  attempt=1
  while :; do
    send_once "$1" "$2"
    case $status in 000 | 429 | 5??) [ $attempt -lt $ATTEMPTS ] || break ;; *) break ;; esac
    sleep $((1 << (attempt - 1)))
    attempt=$((attempt + 1))
  done
  [ "$status" != 000 ] || refuse 'no answer came: the outcome is unknown, repeat the same body with the same id'
}

send_once() {
  timestamp=$(date +%s)
  message=$(message_of "$algorithm" POST "$1" "$timestamp" "$2") || refuse 'the body is not JSON with whole numbers'
  case $algorithm in
    RSA-*)
      token=$(credential rsa_access_token)
      credential rsa_private_key_pem > "$work/private.pem"
      rsa_input "$algorithm" "$message" > "$work/signed"
      signature=$(openssl dgst -sha256 -sign "$work/private.pem" "$work/signed" | base64url)
      ;;
    *)
      token=$(credential hmac_key_id)
      signature=$(printf %s "$message" | hmac_sha512 "$(credential hmac_secret)")
      ;;
  esac
  status=$(curl --silent --max-time $TIMEOUT_S --output "$work/answer" --write-out '%{http_code}' \
    -H 'content-type: application/json' \
    -H "x-access-timestamp: $timestamp" \
    -H "x-access-merchant-id: $(credential merchant_id)" \
    -H "x-access-token: $token" \
    -H "x-access-merchant-algorithm: $algorithm" \
    -H "x-access-signature: $signature" \
    --data-binary "@$2" "$(credential base_url)$1") || status=000
}

call() { # PATH BODY
  printf %s "$2" > "$work/body"
  send "$1" "$work/body"
  [ "$status" = 200 ] || refuse "$1: $status $(cat "$work/answer")"
}

# --- Callbacks

header() { # NAME, in lower case
  tr -d '\r' < "$work/headers" | awk -v name="$1" '
    tolower(substr($0, 1, length(name) + 1)) == name ":" { sub(/^[^:]*:[ \t]*/, ""); print }'
}

require_fresh() {
  case $1 in *[!0-9]*) refuse 'the timestamp is not Unix time in seconds' ;; esac
  [ ${#1} = 10 ] || refuse 'the timestamp is not Unix time in seconds'
  away=$(($(date +%s) - $1))
  [ ${away#-} -le $TOLERANCE_S ] || refuse "the timestamp is more than $TOLERANCE_S s away"
}

# By the Standard Webhooks signature, which covers the bytes of the body: prefer it.
verify_webhook() {
  timestamp=$(header webhook-timestamp)
  require_fresh "$timestamp"
  secret=$(credential webhook_secret)
  key=$(printf %s "${secret#whsec_}" | openssl base64 -d -A | hex)
  expected=$({ printf '%s.%s.' "$(header webhook-id)" "$timestamp"; cat "$work/body"; } | hmac_hex sha256 64 "$key")
  expected=v1,$(printf '%s\n' "$expected" | unhex | openssl base64 -A)
  for entry in $(header webhook-signature); do # two while the secret is being replaced
    if is_same "$entry" "$expected"; then return; fi
  done
  refuse 'no signature fits'
}

# By the x-access-… headers (scheme 1). The key is the one you were given; x-access-token is not looked at.
verify_callback() {
  timestamp=$(header x-access-timestamp)
  require_fresh "$timestamp"
  expected=$([ "$1" = rsa ] && echo RSA-SHA256 || echo HMAC-SHA512)
  given=$(header x-access-merchant-algorithm)
  [ "${given:-RSA-SHA256}" = "$expected" ] || refuse "the callback is not signed with $expected"
  message=$(message_of "$expected" POST '' "$timestamp" "$work/body") || refuse 'the body is not JSON with whole numbers'
  credential callback_public_key_pem > "$work/public.pem"
  fits=
  for signature in $(header x-access-signature) $(header x-access-signature-next); do
    decode_base64url "$signature" "$work/signature" || refuse 'the signature is not base64url without padding'
    if [ "$1" = rsa ]; then
      if rsa_verifies RSA-SHA256 "$message" "$work/public.pem" "$work/signature"; then fits=1; fi
    else
      made=$(printf %s "$message" | hmac_sha512 "$(credential callback_hmac_secret)")
      if is_same "$made" "$signature"; then fits=1; fi
    fi
  done
  [ -n "$fits" ] || refuse 'no signature fits'
  json plain < "$work/body" || refuse 'the signature fits more than one body'
  # The service signs for all its merchants with one RSA key: without this, another merchant's callback would pass.
  [ "$(json get project_id < "$work/body")" = "$(credential project_id)" ] || refuse 'the callback is of another project'
}

# --- Commands

command_call() {
  body=${2-"{\"general\":{\"project_id\":\"$(credential project_id)\"}}"}
  printf %s "$body" > "$work/body"
  send "$1" "$work/body"
  cat "$work/answer"
  echo
  [ "$status" = 200 ]
}

command_payin() {
  payment_id=shell-$(date +%s)-$$ # your own id: keep it before you send it
  general="\"general\":{\"project_id\":\"$(credential project_id)\",\"payment_id\":\"$payment_id\"}"
  call /api/v1/payment/p2p/payin "{$general,
    \"payment\":{\"method\":\"card-p2p\",\"amount\":250000,\"currency\":\"RUB\"},
    \"customer\":{\"id\":\"customer-1\",\"ip_address\":\"192.0.2.1\"}}"
  until_answer requisites:pan
  echo "The payer sends $(json get requisites:amount < "$work/answer") to $found"
  call /api/v1/payment/p2p/payin/confirm "{$general}" # the payer says that it is done
  until_answer status
  echo "Pay-in $payment_id: $found, and $(json get payment:net < "$work/answer") of it is ours"
  [ "$found" = success ]
}

# Asks until the payment has requisites, or a final status. A shop waits for the callback instead.
until_answer() {
  tries=0
  while [ $tries -lt $((2 * WAIT_S)) ]; do
    call /api/v1/payment/p2p/payin/info "{$general}"
    found=$(json get "$1" < "$work/answer") || found=
    case $1:$found in status:success | status:decline | requisites:pan:?*) return ;; esac
    sleep 0.5
    tries=$((tries + 1))
  done
  refuse "nothing happened for $WAIT_S s"
}

command_verify() {
  cat ${2+"$2"} > "$work/message"
  size=$(awk '{ size += length($0) + 1 } /^\r?$/ { print size; exit }' "$work/message")
  [ -n "$size" ] || refuse 'there is no empty line between the headers and the body'
  head -c "$size" "$work/message" > "$work/headers"
  tail -c "+$((size + 1))" "$work/message" > "$work/body"
  twice=$(cut -d : -f 1 "$work/headers" | tr 'A-Z\r' 'a-z ' | sort | uniq -d)
  [ -z "$twice" ] || refuse "the header $twice is there twice"
  case $1 in
    webhook) verify_webhook ;;
    rsa | hmac) verify_callback "$1" ;;
    *) refuse 'KEY is webhook, rsa or hmac' ;;
  esac
  payment_id=$(json get general:payment_id < "$work/body") || refuse 'the body is not a callback'
  echo "Verified: $payment_id $(json get status:status < "$work/body")"
}

command_vectors() {
  mkdir "$work/file"
  json unpack "$work/file" < "$1" || refuse "$1 cannot be read"
  secret=$(cat "$work/file/hmac:secret:")
  count=0 accepted=0 wrong=0
  while [ -e "$work/file/vectors:$count:name:" ]; do
    vector=$work/file/vectors:$count
    name=$(cat "$vector:name:") kind=$(cat "$vector:algorithm:") signature=$(cat "$vector:signature:")
    made=$(message_of "$kind" "$(cat "$vector:method:")" "$(cat "$vector:path:")" "$(cat "$vector:timestamp:")" "$vector:body:")
    valid=$(cat "$vector:valid:") is_accepted=0
    if [ "$made" = "$(cat "$vector:message:")" ] && accepts; then is_accepted=1; fi
    if [ "$made" != "$(cat "$vector:message:")" ] || [ $is_accepted != "$valid" ]; then
      wrong=$((wrong + 1))
      echo "WRONG $kind: $name" >&2
    fi
    accepted=$((accepted + is_accepted)) count=$((count + 1))
  done
  echo "$count vectors: $accepted accepted, $((count - accepted)) refused, $wrong wrong"
  [ $wrong = 0 ] && [ $count -gt 0 ]
}

accepts() {
  decode_base64url "$signature" "$work/signature" || return 1
  case $kind in
    RSA-*) rsa_verifies "$kind" "$made" "$work/file/rsa:public_key_pem:" "$work/signature" ;;
    *) is_same "$(printf %s "$made" | hmac_sha512 "$secret")" "$signature" ;;
  esac
}

case ${1-}:$# in
  call:2 | call:3) command_call "$2" ${3+"$3"} ;;
  payin:1) command_payin ;;
  verify:2 | verify:3) command_verify "$2" ${3+"$3"} ;;
  vectors:2) command_vectors "$2" ;;
  *) refuse 'usage: see the first lines of tillgate.sh' ;;
esac
