package io.persist.format;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Which combinations of facts a row of a table of decisions is for. */
public final class FactPattern {

    /** What a fact has to be. */
    public enum Is {
        ON,
        OFF,
        ANY;

        private boolean matches(boolean fact) {
            return this == ANY || (this == ON) == fact;
        }
    }

    private final Is[] wanted;

    private FactPattern(Is... wanted) {
        this.wanted = wanted;
    }

    /** A pattern of facts in the order of the table's columns. */
    public static FactPattern of(Is... wanted) {
        return new FactPattern(wanted.clone());
    }

    /** Whether it is for {@code facts}, which are in the order of the columns. */
    public boolean matches(boolean... facts) {
        for (int i = 0; i < wanted.length; i++) {
            if (!wanted[i].matches(facts[i])) {
                return false;
            }
        }
        return true;
    }

    /** The columns as the documentation shows them. */
    @Override
    public String toString() {
        return Arrays.stream(wanted).map(Is::name).collect(Collectors.joining(" | "));
    }
}
