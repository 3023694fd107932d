/**
 * The command lines that begin with {@code store}.
 *
 * <pre>
 *   store get, scan, stats, checkpoint, compact --→ StoreCommand --→ the command of the second word
 *                                                                      |
 *                                                                      v
 *                                                                    a tool of io.persist.tool.store
 *   threads: main
 * </pre>
 */
@NullMarked
package io.persist.tool.verb.store;

import org.jspecify.annotations.NullMarked;
