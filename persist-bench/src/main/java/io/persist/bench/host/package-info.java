/**
 * Directories and their space, direct writes, CPUs and threads of the machine that a program runs on.
 */
@NullMarked
package io.persist.bench.host;

import org.jspecify.annotations.NullMarked;
