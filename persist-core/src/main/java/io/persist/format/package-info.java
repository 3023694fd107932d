/**
 * Bytes in memory: offsets, lengths, checksums; and how facts about them are matched with the rows of a table. Pure
 * functions: no files, no threads.
 *
 * <pre>
 *   a log       segment | segment | segment | segment …      positions are byte addresses, the base is in the name
 *   a segment   header | frame | frame | … | seal | zeros    filled with zeros before it is used
 *   a frame     header | payload | pad                       published by its length, which is stored last
 * </pre>
 *
 * Zero means: nothing was ever published here. The same layout for people who write a reader in another language is in
 * {@code docs/file-format.md}; a test compares the two.
 */
@NullMarked
package io.persist.format;

import org.jspecify.annotations.NullMarked;
