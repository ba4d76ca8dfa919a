-- A pooler in transaction mode gives no client settings of its own, so the service's role has the limits that the service otherwise
-- sets itself. The service does not start through PgBouncer without them. Run it in psql as an administrator, then RECONNECT in PgBouncer's
-- console. `npm run drill` runs this very file.
alter role ${ROLE} in database ${DATABASE} set statement_timeout = '7s';
alter role ${ROLE} in database ${DATABASE} set lock_timeout = '5s';
alter role ${ROLE} in database ${DATABASE} set idle_in_transaction_session_timeout = '30s';
