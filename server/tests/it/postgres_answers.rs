//! Every SQLSTATE, raised inside each kind of statement of a running service: what the client is answered.
//!
//! None becomes a 500, a false 404 or 409, or a second paste; the same request settles it.

use crate::harness::{OneShard, Reply, fresh_key};

/// Raises the chosen SQLSTATE once. A sequence counts, since it is not rolled back.
const RAISE: &str = "
create table fault (place text, sqlstate text);
create sequence struck;
create function strike(place text) returns boolean language plpgsql as $$
declare chosen text;
begin
  select f.sqlstate into chosen from fault f where f.place = strike.place;
  if chosen is not null and nextval('struck') = 1 then
    raise exception 'a fault of the test' using errcode = chosen;
  end if;
  return true;
end $$;
create function strike_row() returns trigger language plpgsql as $$
begin
  perform strike(tg_argv[0]);
  return coalesce(new, old);
end $$;
create trigger strike before insert on idempotency for each row execute function strike_row('create');
create trigger strike before delete on paste for each row execute function strike_row('delete');
alter table idempotency rename to idempotency_rows;
alter table paste rename to paste_rows;
create view idempotency as select * from idempotency_rows where strike('look up');
create view paste as select * from paste_rows where strike('read')";

/// How a client is answered: a create, a delete, a read, a retry of a committed save.
type Answers = [u16; 4];

/// Rolled back for another's sake: sent again at once, which a read never needs.
const CONFLICT: Answers = [201, 204, 503, 503];
/// Gave up waiting: a create looks its key up again.
const BUSY: Answers = [201, 503, 503, 503];
/// The outcome is unknown: everybody looks again.
const LOST: Answers = [201, 204, 200, 201];
/// Nothing was done.
const REFUSED: Answers = [503; 4];

const TABLE: [(&str, Answers); 28] = [
    ("40001", CONFLICT),
    ("40P01", CONFLICT),
    ("57014", BUSY),
    ("55P03", BUSY),
    ("25P01", LOST),
    ("25P02", LOST),
    ("25P03", LOST),
    ("25006", LOST),
    ("57P01", LOST),
    ("57P02", LOST),
    ("57P04", LOST),
    ("57P05", LOST),
    ("08000", LOST),
    ("08003", LOST),
    ("08006", LOST),
    ("08P01", LOST),
    ("57P03", REFUSED),
    ("53000", REFUSED),
    ("53100", REFUSED),
    ("53200", REFUSED),
    ("53300", REFUSED),
    ("58030", REFUSED),
    ("XX000", REFUSED),
    ("XX001", REFUSED),
    ("22021", REFUSED),
    ("23514", REFUSED),
    ("42P01", REFUSED),
    ("0A000", REFUSED),
];

#[tokio::test(flavor = "multi_thread")]
async fn no_sqlstate_becomes_a_500_or_a_false_answer() {
    let faulty = Faulty::start().await;
    let service = &faulty.0;
    for (sqlstate, [create, delete, read, replay]) in TABLE {
        let key = fresh_key();
        faulty.raise("create", sqlstate).await;
        faulty
            .settles(sqlstate, create, || service.save(&key, "text"))
            .await;
        let saved = service.save(&key, "text").await.created();

        faulty.raise("look up", sqlstate).await;
        let replayed = || service.save(&key, "text");
        let retried = faulty.settles(sqlstate, replay, replayed).await;
        assert_eq!(retried.created(), saved, "{sqlstate}");

        faulty.raise("read", sqlstate).await;
        let path = format!("/{}/raw", saved.id);
        let reply = faulty.settles(sqlstate, read, || service.get(&path)).await;
        assert_eq!((reply.status, &*reply.text()), (200, "text"), "{sqlstate}");

        faulty.raise("delete", sqlstate).await;
        let deleted = || service.delete(&saved.id, &saved.delete_token);
        let reply = faulty.settles(sqlstate, delete, deleted).await;
        assert_eq!(reply.status, 204, "{sqlstate}");
    }
    let saves = i64::try_from(TABLE.len()).unwrap();
    for (table, rows) in [("idempotency", saves), ("paste", 0), ("outbox", saves)] {
        let counted = service
            .database
            .number(format!("select count(*) from {table}"));
        assert_eq!(counted.await, rows, "{table}");
    }
}

struct Faulty(OneShard);

impl Faulty {
    async fn start() -> Self {
        let service = OneShard::start().await;
        service.database.run(RAISE).await;
        Self(service)
    }

    async fn raise(&self, place: &str, sqlstate: &str) {
        let chosen = format!(
            "truncate fault; alter sequence struck restart; insert into fault values ('{place}', '{sqlstate}')"
        );
        self.0.database.run(chosen).await;
    }

    /// Asks while the fault strikes, and once more if that was refused; the answer that was no refusal.
    async fn settles<F: Future<Output = Reply>>(
        &self,
        sqlstate: &str,
        expected: u16,
        ask: impl Fn() -> F,
    ) -> Reply {
        let reply = ask().await;
        assert_eq!(reply.status, expected, "{sqlstate}: {reply:?}");
        let struck = self
            .0
            .database
            .number("select last_value from struck where is_called");
        assert!(struck.await >= 1, "{sqlstate} was raised");
        if reply.status != 503 {
            return reply;
        }
        assert_ne!(reply.header("retry-after"), "");
        ask().await
    }
}
