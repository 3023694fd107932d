/**
 * What a record costs with its commit, of each logger, at each level; and the floor under a commit that is synced.
 *
 * <pre>
 *    CommitBenchmark ←-- MessageCommit-, PacketCommit-, StoreCommitBenchmark: what a record is
 *    SyncBenchmark beside BareSyncBenchmark: a commit beside the ways to write one frame
 *    GroupCommitBenchmark: several threads that commit
 *    threads: one of JMH; of a group those of Producers
 * </pre>
 *
 * <p>Like {@code io.persist.jmh} not {@code @NullMarked}.
 */
package io.persist.jmh.commit;
