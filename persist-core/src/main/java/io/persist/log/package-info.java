@NullMarked
package io.persist.log;

import org.jspecify.annotations.NullMarked;
