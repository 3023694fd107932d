/** Packets: several messages, and metadata if wanted, as one record, which is on the log as a whole or not at all. */
@NullMarked
package io.persist.packet;

import org.jspecify.annotations.NullMarked;
