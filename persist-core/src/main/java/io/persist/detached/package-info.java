/**
 * The optional path to the log: any number of threads hand records to a queue, and one thread writes them, with one
 * flush or sync for all that wait.
 *
 * <pre>
 *   append, claim, roll, end of a commit               a level: commit, flush, sync, await
 *        | QueueProducer: checks, waits for               | DetachedCompletion: asks, and waits
 *        |   a free entry, copies, publishes              |   YieldPolicy: by yielding at first
 *        v                                                v
 *   HandoffQueue: for each record a QueueEntry and     Requests: up to where to flush, and to sync
 *     its position, by one change of the QueueTail        |
 *        |                                                |
 *        +----------→ WriterIdle: wakes  ←----------------+
 *                          |
 *                          v
 *   DetachedWriter: appends a batch, ends its commits, then one flush or sync for all of them
 *        |   CommitDelay: how long the sync waits for more
 *        v
 *   Log (room log.engine): its positions, which wake the threads that wait for them
 *   threads: any down to WriterIdle; from there the writer thread, which WriterStart begins
 * </pre>
 */
@NullMarked
package io.persist.detached;

import org.jspecify.annotations.NullMarked;
