/**
 * Fields as bytes with a checksum, for versions and parts; and how text and a UUID are written.
 *
 * <pre>
 *    ByteSink --→ fields, CRC32C --→ ByteSource: verifies, then bounds each length before it is used
 * </pre>
 */
@NullMarked
package io.persist.shard.bytes;

import org.jspecify.annotations.NullMarked;
