/**
 * Records, and keys with their values, as text, JSON Lines, CSV or a page of HTML, one by one.
 *
 * <pre>
 *   a record --→ RecordDecoder: a packet or a transaction becomes Parts
 *                   |
 *                   v
 *                RecordPrinter: Text-, Json-, Csv- or HtmlPrinter --→ stream
 *   a key and its value --→ EntryPrinter                          --→ stream
 *   threads: the one that calls
 * </pre>
 */
@NullMarked
package io.persist.tool.print;

import org.jspecify.annotations.NullMarked;
