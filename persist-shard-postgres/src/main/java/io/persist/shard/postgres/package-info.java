/**
 * A consensus in PostgreSQL: for writers and readers on many machines.
 *
 * <pre>
 *    postgresql://user@host/database --PostgresProvider--→ PostgresUri → Tables: are they there, and these?
 *    compareAndSet --one statement, one round trip--→ moves the row of persist_heads, whose lock is the order of all
 *                                                     changes of a key, and adds a row to persist_versions
 *    awaitChange     News: threads of this process are woken, by what it has done or was told by Signals, which are
 *                    NOTIFY and LISTEN; without these what others do is looked for, with growing pauses
 *    SQLException  --PostgresFailures--→ it surely did not happen, or it may have
 *    threads: those of the caller, and two of Signals; connections are those of a pool, HikariCP
 * </pre>
 */
@NullMarked
package io.persist.shard.postgres;

import org.jspecify.annotations.NullMarked;
