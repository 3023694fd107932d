package io.persist.bench.doctor.diagnosis;

/**
 * Something to know about a directory.
 *
 * @param what one or two sentences
 * @param remedy what to do, one or two sentences
 */
public record Finding(Severity severity, String what, String remedy) {

    /** The worst first. */
    public enum Severity {
        /** A synced commit is not safe. */
        UNSAFE("NOT SAFE"),
        /** Whether it is cannot be told from here. */
        DOUBTFUL("DOUBTFUL"),
        /** It is as safe as it says, and something else will hurt. */
        WARNING("WARNING"),
        /** Good to know. */
        NOTE("NOTE");

        private final String words;

        Severity(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    static Finding unsafe(String what, String remedy) {
        return new Finding(Severity.UNSAFE, what, remedy);
    }

    static Finding doubtful(String what, String remedy) {
        return new Finding(Severity.DOUBTFUL, what, remedy);
    }

    static Finding warning(String what, String remedy) {
        return new Finding(Severity.WARNING, what, remedy);
    }

    static Finding note(String what, String remedy) {
        return new Finding(Severity.NOTE, what, remedy);
    }
}
