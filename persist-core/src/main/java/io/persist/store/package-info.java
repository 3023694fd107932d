/**
 * What users of a store name: its configuration, ranges and orders of keys, what recovery found, its numbers. The rooms
 * of a store lie below this name. Each may use those that stand before it: {@code layer}, {@code staged},
 * {@code state}, {@code value}, {@code core}, {@code transaction}, {@code read}, {@code checkpoint},
 * {@code upkeep}, {@code engine}.
 *
 * <pre>
 *             io.persist.StoreLogger
 *                      |
 *                   engine         opens it, closes it, looks at it from outside
 *         +------------+-------------+
 *    transaction      read        upkeep      commits | scans, changes | compaction
 *         |            |             |
 *         |            |         checkpoint   the index in a file
 *         +------------+-------------+
 *                     core         log and index under one lock
 *                +-----+-----+
 *              state       value   index and live bytes | bytes of values, in the log
 *                +-----+-----+
 *                 io.persist.store
 *    threads: any; what is here does not change
 * </pre>
 */
@NullMarked
package io.persist.store;

import org.jspecify.annotations.NullMarked;
