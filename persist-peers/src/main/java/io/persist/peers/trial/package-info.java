/**
 * One trial: an engine does one kind of work, in a JVM of its own. {@link io.persist.peers.trial.PeerTrial} is that
 * JVM's main class; it gets a {@link io.persist.peers.trial.Trial} and leaves a {@link
 * io.persist.peers.trial.TrialResult}.
 */
@NullMarked
package io.persist.peers.trial;

import org.jspecify.annotations.NullMarked;
