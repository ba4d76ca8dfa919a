#!/bin/sh
# Makes what is missing in secrets/: passwords, the master key, and a certificate that HAProxy can start with. It never
# overwrites a file. Keep a copy of master_key apart from the database's backups: without it, every HMAC secret is lost.
set -eu
host=${1:?usage: ./secrets.sh HOST}
umask 077
mkdir -p secrets
cd secrets
# The containers' users, which are not yours, read these files. The directory keeps other users of this machine out.
keep() {
  name=$1
  shift
  if [ -e "$name" ]; then return; fi
  "$@" > "$name.new"
  chmod 444 "$name.new"
  mv "$name.new" "$name"
}
keep postgres_password openssl rand -hex 24
keep database_password openssl rand -hex 24
keep master_key openssl rand -hex 32
keep database_url echo "postgresql://tillgate:$(cat database_password)@postgres:5432/tillgate"
if [ ! -e tls_certificate ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj "/CN=$host" \
    -addext "subjectAltName=DNS:$host" -keyout key.new -out certificate.new 2>/dev/null
  keep tls_certificate cat certificate.new key.new
  rm certificate.new key.new
  echo "secrets/tls_certificate is self-signed, for 30 days. Replace it: certificate, intermediate certificates, then the key."
fi
