/** Where the time of a trial went: what samples of its threads say, by kind of work. */
@NullMarked
package io.persist.peers.profile;

import org.jspecify.annotations.NullMarked;
