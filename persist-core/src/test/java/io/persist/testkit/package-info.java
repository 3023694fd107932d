/**
 * A kit for tests of programs that use Persist: a storage in memory that can lose its power, one whose operations fail,
 * and a crash explorer that tries a program against both at every operation. It is published as the jar of
 * {@code persist-core} with the classifier {@code testkit}, to be used in scope {@code test}, and needs no test
 * framework.
 *
 * <p>Begin with {@link io.persist.testkit.CrashExplorer}. What lies under it can be used for itself:
 *
 * <pre>{@code
 * CrashableStorage storage = new CrashableStorage().cutPowerAt(40);
 * // ... the program runs on it, and ends with a PowerCut
 * CrashableStorage after = storage.crash(new Random(seed), Loss.RANDOM);
 * MessageLogger logger = MessageLogger.open(config, after);
 * }</pre>
 *
 * <p>Simulated are
 *
 * <ul>
 *   <li>the page cache, which writes, reads and mappings share, and the device, which has what was synced: of the rest
 *       a power cut keeps nothing, all, a prefix, or any mixture of sectors that are old, new or torn, in any order;
 *   <li>directory entries: files whose creation, renaming or deletion was not synced;
 *   <li>lengths that reached the device without the data, and the other way round;
 *   <li>writes and syncs that fail once or for good, writes of which a part is done, a full disk;
 *   <li>pages that count as clean after a failed sync, as on Linux;
 *   <li>devices that claim to have synced and have not;
 *   <li>the death of the process, after which the page cache is still there.
 * </ul>
 *
 * <p>Not simulated are the time that an operation takes, sectors that rot, a power cut that harms bytes outside of what
 * was written, the {@code InternalError} of a mapped page that the device cannot read, other processes, and everything
 * that a program does not do by an {@link io.persist.file.Storage}. A mapped file cannot grow here, and a file has at
 * most 2 GiB.
 */
@NullMarked
package io.persist.testkit;

import org.jspecify.annotations.NullMarked;
