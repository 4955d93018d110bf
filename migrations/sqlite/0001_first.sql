-- The tables of one shard. Times are milliseconds since the Unix epoch, UTC; hashes are raw bytes.

-- The slots this shard owns. Owning is the row's existence: no flag, and no foreign key from paste,
-- which would forbid handing a slot over.
create table slot (
  slot integer not null,
  constraint slot_slot primary key (slot),
  constraint slot_range check (slot between 0 and 255)
) strict;

-- A paste: who may delete it, where its text is, how long it lives. Rows are never updated.
create table paste (
  id text not null,
  object_key text not null,
  -- SHA-256 of the delete token; the token itself is nowhere in the database.
  token_hash blob not null,
  title text,
  syntax text,
  size_bytes integer not null,
  -- SHA-256 of the content.
  sha256 blob not null,
  created_at integer not null,
  expires_at integer not null,
  constraint paste_id unique (id),
  constraint paste_object_key unique (object_key)
) strict;

create index paste_expires_at on paste (expires_at);

-- A committed save, remembered for 25 hours so that a retry gets the same answer.
create table idempotency (
  -- SHA-256 of the idempotency key; the key itself is nowhere in the database.
  key_hash blob not null,
  -- Which algorithm made the digest, so that a newer server still recognises an older row.
  digest_version integer not null,
  -- Keyed digest of the request: says whether a retry asks for the same thing.
  digest blob not null,
  -- The 201 body, sealed under a key derived from the idempotency key.
  answer blob not null,
  expires_at integer not null,
  constraint idempotency_key_hash unique (key_hash)
) strict;

create index idempotency_expires_at on idempotency (expires_at);

-- Deletions still to be carried out on the CDN and the object store.
create table outbox (
  n integer primary key autoincrement,
  paste_id text not null,
  object_key text not null,
  created_at integer not null,
  constraint outbox_object_key unique (object_key)
) strict;

create index outbox_paste_id on outbox (paste_id);
