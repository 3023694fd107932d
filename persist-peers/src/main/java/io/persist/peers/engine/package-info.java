/** What is compared: {@link io.persist.peers.engine.Engine}, and each log behind it. */
@NullMarked
package io.persist.peers.engine;

import org.jspecify.annotations.NullMarked;
