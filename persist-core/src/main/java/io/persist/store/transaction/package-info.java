/**
 * How users change a store: by transactions, of which each thread has one, and by operations on one key or
 * on a batch.
 *
 * <pre>
 *    the thread that begins                      any thread
 *         |                                          |
 *    StoreThread --→ Transaction             SingleOperations --→ Workspace (of the pool)
 *         |              |   OptimisticTransaction         |
 *         v              |        |  ReadSet              |
 *    ThreadValues        +--------+-- StoreCommits.commit +
 *    threads: a transaction is for the thread that began it
 * </pre>
 */
@NullMarked
package io.persist.store.transaction;

import org.jspecify.annotations.NullMarked;
