/**
 * Persist beside its peers: the same messages, the same work, in turn, on the same machine. {@link
 * io.persist.peers.ComparePeers} is the program. Never deployed, so that no peer reaches a user's class path.
 */
@NullMarked
package io.persist.peers;

import org.jspecify.annotations.NullMarked;
