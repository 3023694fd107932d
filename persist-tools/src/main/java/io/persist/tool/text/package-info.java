/**
 * Bytes, keys and findings as text: what is printed cannot move a cursor, run anything or lose a byte unnoticed.
 *
 * <pre>
 *   bytes of payloads --→ PayloadText, in a PayloadStyle --+
 *   keys              --→ KeyFormat, EscapedKey          --+--→ text for people
 *   findings of logs  --→ Descriptions                   --+
 *   any of them       --→ JsonLine, by gson --→ AsciiText: a line of JSON
 *   threads: the one that calls; pure functions but for what they print to
 * </pre>
 */
@NullMarked
package io.persist.tool.text;

import org.jspecify.annotations.NullMarked;
