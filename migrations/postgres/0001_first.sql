-- The tables of one shard. Times are milliseconds since the Unix epoch, UTC; hashes are raw bytes.
-- Ids and names are text, never char(n): a text parameter would cast the column and scan the table.

-- The slots this shard owns. Owning is the row's existence: no flag, and no foreign key from paste,
-- which would lock too late and forbid handing a slot over. Giving a slot up is a delete, which waits for its creates.
create table slot (
  slot smallint not null,
  constraint slot_slot primary key (slot),
  constraint slot_range check (slot between 0 and 255)
);

-- A paste: who may delete it, where its text is, how long it lives. Rows are never updated.
create table paste (
  id text not null,
  object_key text not null,
  -- SHA-256 of the delete token; the token itself is nowhere in the database.
  token_hash bytea not null,
  title text,
  syntax text,
  size_bytes bigint not null,
  -- SHA-256 of the content.
  sha256 bytea not null,
  created_at bigint not null,
  expires_at bigint not null,
  constraint paste_id unique (id),
  constraint paste_object_key unique (object_key)
);

create index paste_expires_at on paste (expires_at);

-- A committed save, remembered for 25 hours so that a retry gets the same answer.
create table idempotency (
  -- SHA-256 of the idempotency key; the key itself is nowhere in the database.
  key_hash bytea not null,
  -- Which algorithm made the digest, so that a newer server still recognises an older row.
  digest_version smallint not null,
  -- Keyed digest of the request: says whether a retry asks for the same thing.
  digest bytea not null,
  -- The 201 body, sealed under a key derived from the idempotency key.
  answer bytea not null,
  expires_at bigint not null,
  constraint idempotency_key_hash unique (key_hash)
)
-- Every row leaves after 25 hours: vacuum early, in small steps.
with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.05);

create index idempotency_expires_at on idempotency (expires_at);

-- Deletions still to be carried out on the CDN and the object store.
create table outbox (
  n bigint generated always as identity,
  paste_id text not null,
  object_key text not null,
  created_at bigint not null,
  constraint outbox_n primary key (n),
  constraint outbox_object_key unique (object_key)
);

create index outbox_paste_id on outbox (paste_id);
