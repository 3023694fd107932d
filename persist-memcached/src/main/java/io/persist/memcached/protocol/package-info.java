/**
 * Bytes in, requests out: {@link io.persist.memcached.protocol.RequestReader} cuts what a connection has received, in
 * whatever pieces, into requests, and keeps in step after bad ones. It knows no items and no sockets.
 */
@NullMarked
package io.persist.memcached.protocol;

import org.jspecify.annotations.NullMarked;
