/**
 * JMH benchmarks of Persist and of bare copies and bare synced writes beside it. Those with engines of others are in
 * persist-peers. Run all with {@code bin/persist jmh}: JMH's own command line, with
 * {@code -l} for the list of benchmarks, {@code -lp} for their parameters too, and {@code -h} for help.
 *
 * <table>
 * <caption>The suite</caption>
 * <tr><th>question<th>benchmarks<th>command
 * <tr><td>One record and its commit, of each logger, for each durability, mode, writer and length
 *   <td>{@link io.persist.jmh.commit.MessageCommitBenchmark}, {@link
 *   io.persist.jmh.commit.PacketCommitBenchmark}, {@link io.persist.jmh.commit.StoreCommitBenchmark}
 *   <td>{@code CommitBenchmark.latency -p payload=256}, {@code CommitBenchmark.throughput -p payload=256}
 * <tr><td>Synced, flushed, buffered
 *   <td><td>{@code MessageCommitBenchmark.latency -p payload=256 -p writeMode=MAPPED -p writer=ATTACHED}
 * <tr><td>Mapped, file
 *   <td><td>{@code MessageCommitBenchmark.latency -p payload=256 -p durability=SYNCED -p writer=ATTACHED}
 * <tr><td>Attached, detached
 *   <td><td>{@code MessageCommitBenchmark -p payload=256 -p durability=BUFFERED -p writeMode=MAPPED}
 * <tr><td>Objects for each record: none
 *   <td><td>{@code CommitBenchmark.throughput -p payload=256 -p durability=BUFFERED -prof gc}
 * <tr><td>An append beside a bare copy of its bytes
 *   <td>{@link io.persist.jmh.append.AppendBenchmark}, {@link io.persist.jmh.append.BareCopyBenchmark}
 *   <td>{@code 'AppendBenchmark|BareCopyBenchmark'}
 * <tr><td>An append by an encoder, and of an object of chronicle-bytes, beside that of an array
 *   <td>{@link io.persist.jmh.append.CodecBenchmark}
 *   <td>{@code CodecBenchmark}
 * <tr><td>A synced commit beside bare synced writes
 *   <td>{@link io.persist.jmh.commit.SyncBenchmark}, {@link io.persist.jmh.commit.BareSyncBenchmark}
 *   <td>{@code SyncBenchmark}
 * <tr><td>Several threads, with and without a sync
 *   <td>{@link io.persist.jmh.commit.GroupCommitBenchmark}, {@link io.persist.jmh.append.ProducersBenchmark}
 *   <td>{@code 'GroupCommitBenchmark|ProducersBenchmark'}
 * <tr><td>Reading, opening
 *   <td>{@link io.persist.jmh.read.TailBenchmark}, {@link io.persist.jmh.read.ReopenBenchmark}
 *   <td>{@code 'TailBenchmark|ReopenBenchmark' -p payload=256}
 * <tr><td>Gets of a store alone, by several threads, and beside puts
 *   <td>{@link io.persist.jmh.read.StoreGetBenchmark}
 *   <td>{@code 'StoreGetBenchmark.get' -t 1}, {@code 'StoreGetBenchmark.get' -t 2}, {@code StoreGetBenchmark.beside}
 * <tr><td>Components: checksum, frame, queue, index
 *   <td>{@link io.persist.jmh.part.ChecksumBenchmark}, {@link io.persist.jmh.part.FrameBenchmark}, {@link
 *   io.persist.detached.HandoffBenchmark}, {@link io.persist.jmh.part.IndexBenchmark}
 *   <td>{@code 'ChecksumBenchmark|FrameBenchmark|HandoffBenchmark|IndexBenchmark' -f 1}
 * <tr><td>Others
 *   <td>{@code Disruptor*} and {@code State*Benchmark} in persist-peers
 *   <td>{@code Disruptor}, {@code State.*Benchmark}
 * </table>
 *
 * <p>{@code -f}, {@code -wi}, {@code -w}, {@code -i} and {@code -r} change how many processes, warm-up iterations and
 * iterations there are, and how long each is. {@code -p} chooses values of a parameter: without it there is one trial
 * for each combination of all of them, which for the commits are 48, of 5 s each.
 *
 * <p>A number says little by itself: what the targets name are ratios between benchmarks of one run on one machine, see
 * {@link io.persist.jmh.Ratios}.
 *
 * <p>Logs are written below {@code target/jmh-logs} of the current directory, or where the system property {@code
 * persist.jmh.dir} says. Each has 512 MiB, or the MiB that {@code persist.jmh.logMiB} says, and is deleted before the
 * next one is made; so no benchmark fills the disk, however long it runs. If there is not so much space it says so and
 * writes nothing.
 *
 * <p>The package is not {@code @NullMarked}: JMH fills the fields of a state in methods that NullAway does not know.
 */
package io.persist.jmh;
