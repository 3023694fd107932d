package io.persist.matrix.life;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.testkit.CrashableStorage;

/** Something other than an IOException that happens at an operation of the storage, in whichever thread does it. */
final class Blow implements CrashableStorage.Hook {

    private static final String TEXT = "injected";

    /** What is thrown. */
    enum Kind {
        RUNTIME_EXCEPTION {
            @Override
            void raise() {
                throw new IllegalArgumentException(TEXT);
            }
        },
        ERROR {
            @Override
            void raise() {
                throw new LinkageError(TEXT);
            }
        },
        OUT_OF_MEMORY {
            @Override
            void raise() {
                throw new OutOfMemoryError(TEXT);
            }
        };

        abstract void raise();
    }

    private final Kind kind;
    private final int first;
    private final int last;

    /** The thread and the operation, null before it happens. */
    private volatile String struck;

    private Blow(Kind kind, int first, int last) {
        this.kind = kind;
        this.first = first;
        this.last = last;
    }

    /** At the operation {@code number} only. */
    static Blow once(Kind kind, int number) {
        return new Blow(kind, number, number);
    }

    /** At the operation {@code number} and all that follow. */
    static Blow from(Kind kind, int number) {
        return new Blow(kind, number, Integer.MAX_VALUE);
    }

    @Override
    public void beforeOperation(int number, String what) {
        if (number >= first && number <= last) {
            if (struck == null) {
                struck = "operation " + number + ", " + what + ", by "
                        + Thread.currentThread().getName();
            }
            kind.raise();
        }
    }

    boolean hasStruck() {
        return struck != null;
    }

    /** That {@code end}, which somebody was told, comes from this. */
    void isCauseOf(String who, Throwable end) {
        assertThat(end).as("what %s was told", who).isNotNull();
        assertThat(hasStruck())
                .as("%s was told %s, and nothing has happened", who, end)
                .isTrue();
        for (Throwable cause = end; cause != null; cause = cause.getCause()) {
            if (TEXT.equals(cause.getMessage())) {
                return;
            }
        }
        throw new AssertionError(who + " was told something else: " + end, end);
    }

    @Override
    public String toString() {
        return kind + (last == first ? " once at " : " from ") + (struck == null ? first : struck);
    }
}
