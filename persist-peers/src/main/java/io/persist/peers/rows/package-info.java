/** SQLite for {@code bin/persist rows}, which finds it by {@code RowEngineProvider}. */
@NullMarked
package io.persist.peers.rows;

import org.jspecify.annotations.NullMarked;
