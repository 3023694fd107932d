/** What the stress tests of the other packages share. They are in the packages of the classes that they test. */
@NullMarked
package io.persist.jcstress;

import org.jspecify.annotations.NullMarked;
