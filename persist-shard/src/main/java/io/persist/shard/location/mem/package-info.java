/**
 * Blob and consensus in the memory of the process, for tests and for what need not survive.
 *
 * <pre>
 *    mem:// → one of its own      mem://name → the one that has this name in the process, until all handles are closed
 * </pre>
 */
@NullMarked
package io.persist.shard.location.mem;

import org.jspecify.annotations.NullMarked;
