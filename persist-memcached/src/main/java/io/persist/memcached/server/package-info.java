/**
 * Sockets. {@link io.persist.memcached.server.Server} listens; each connection is a {@link
 * io.persist.memcached.server.Connection} on one event loop, which reads requests, lets {@link
 * io.persist.memcached.server.Commands} run them, and sends what {@link io.persist.memcached.server.Answers} holds.
 * Answers wait there, in their order, until what they say is safe; the event loop never does.
 */
@NullMarked
package io.persist.memcached.server;

import org.jspecify.annotations.NullMarked;
