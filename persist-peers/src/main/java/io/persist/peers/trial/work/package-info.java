/**
 * The JVM of a trial: its main class, and which loop belongs to which mode.
 *
 * <pre>
 *    file with a Trial --→ PeerTrial --→ Workload --→ file with a TrialResult; the profile beside it
 *    threads: the main one
 * </pre>
 */
@NullMarked
package io.persist.peers.trial.work;

import org.jspecify.annotations.NullMarked;
