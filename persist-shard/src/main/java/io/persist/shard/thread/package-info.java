/** Threads that go on. */
@NullMarked
package io.persist.shard.thread;

import org.jspecify.annotations.NullMarked;
