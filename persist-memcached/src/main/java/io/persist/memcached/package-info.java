/**
 * A server for memcached's text protocol, with its items in a store. {@link io.persist.memcached.MemcachedProgram} is
 * the program.
 *
 * <pre>
 *   io.persist.memcached           flags, start, end
 *   io.persist.memcached.server    sockets, answers in their order      ↓ uses
 *   io.persist.memcached.protocol  requests out of bytes                ↓
 *   io.persist.memcached.cache     commands on items; where items are   ↓
 *   io.persist.memcached.item      an item, byte by byte
 * </pre>
 */
@NullMarked
package io.persist.memcached;

import org.jspecify.annotations.NullMarked;
