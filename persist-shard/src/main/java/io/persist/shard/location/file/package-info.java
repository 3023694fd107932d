/**
 * A blob as files of one directory. Any number of processes may use it at the same time.
 *
 * <pre>
 *    set:   process-random.tmp --write, fsync--→ rename to name.blob --→ fsync of the directory
 *    get:   name.blob, as a whole: old or new
 * </pre>
 */
@NullMarked
package io.persist.shard.location.file;

import org.jspecify.annotations.NullMarked;
