/** The names under which the programs of the Rumi benchmark suite are called; each only forwards to Persist's own. */
@NullMarked
package com.neeve.perf.persist;

import org.jspecify.annotations.NullMarked;
