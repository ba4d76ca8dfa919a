-- The operator says when a key's successor takes the x-access-signature header over.

-- Null: not yet, or there was no other key to take it over from. The newest promoted key in force signs that header,
-- and where none is, the oldest key in force.
alter table callback_keys
  add column promoted_at timestamptz,
  add check (promoted_at >= created_at);
