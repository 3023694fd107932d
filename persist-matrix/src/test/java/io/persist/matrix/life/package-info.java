/** What happens in a log's life beside the disk: clocks, threads, interrupts, and many lives one after the other. */
@NullMarked
package io.persist.matrix.life;

import org.jspecify.annotations.NullMarked;
