/** The command lines of the tools in {@code io.persist.tool}: flags in, an exit code out. */
@NullMarked
package io.persist.bench.tool;

import org.jspecify.annotations.NullMarked;
