/**
 * All engines, in the order of tables, and those that one class is enough for.
 *
 * <pre>
 *    id ("rocksdb") --→ Engines --→ EngineKind --→ PersistEngine, ChronicleEngine, RocksEngine, SqliteEngine
 *                                                  and those of bare, aeron, artemis
 * </pre>
 */
@NullMarked
package io.persist.peers.engine.all;

import org.jspecify.annotations.NullMarked;
