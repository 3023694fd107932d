/**
 * One trial: an engine does one kind of work, in a JVM of its own. Here is what both JVMs know: what is to be done, and
 * what came of it.
 *
 * <pre>
 *    Trial, Mode, Limits --→ (JVM) work: PeerTrial --→ Workload --→ TrialResult: Latencies, Seconds, Metrics
 *                                                        |
 *                                                load, read: the loops
 *                                                        |
 *                                      process           Logs: engines, opened; Sampling: the profiler
 *    threads: a trial starts those of its loops, and waits for them
 * </pre>
 */
@NullMarked
package io.persist.peers.trial;

import org.jspecify.annotations.NullMarked;
