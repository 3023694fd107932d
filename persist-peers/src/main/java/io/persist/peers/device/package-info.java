/** Ways to reach a disk that need a native library: {@code bin/persist device} finds them by {@code EngineProvider}. */
@NullMarked
package io.persist.peers.device;

import org.jspecify.annotations.NullMarked;
