package io.persist.log.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.persist.log.engine.Log;
import io.persist.log.space.Headroom;
import io.persist.log.thread.CallingThread;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a thread that closes a log goes on, by the stack of the thread that appends. */
class AppenderStackTest {

    private static final Map<String, String> CLASSES = Stream.of(
                    Appender.class,
                    AppenderPlace.class,
                    Commits.class,
                    MappedWindow.class,
                    BufferWindow.class,
                    Headroom.class,
                    Log.class)
            .collect(Collectors.toMap(Class::getSimpleName, Class::getName));

    /** For how many looks a thread stays where it is. */
    private static final int STAYS = 4;

    /** Where a thread is, as the one that closes the log takes it. */
    enum Where {
        /** It is not waited for. */
        OUTSIDE(1),

        /** Nor is it if it is found there a second time. */
        ELSEWHERE(2),

        /** It is waited for as long as it is there. */
        INSIDE(STAYS + 1);

        private final int looks;

        Where(int looks) {
            this.looks = looks;
        }
    }

    /** The innermost class comes first. {@code lasts}: the log says that its appender does what may take long. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
            stack                                          | lasts | where
            App                                            | false | OUTSIDE
            App                                            | true  | OUTSIDE
            File Log App                                   | false | OUTSIDE
            Appender Log App                               | false | INSIDE
            AppenderPlace Log App                          | false | INSIDE
            Commits Log App                                | false | INSIDE
            File Appender Log App                          | false | INSIDE
            File Headroom Appender Log App                 | true  | INSIDE
            File MappedWindow Appender Log App             | true  | INSIDE
            File BufferWindow Appender Log App             | true  | INSIDE
            File Headroom Appender Log App                 | false | ELSEWHERE
            File MappedWindow Appender Log App             | false | ELSEWHERE
            File BufferWindow Appender Log App             | false | ELSEWHERE
            MappedWindow AppenderPlace Appender Commits    | false | ELSEWHERE
            Headroom MappedWindow Appender Log App         | false | ELSEWHERE
            App MappedWindow Appender Log App              | false | ELSEWHERE
            MappedWindow Appender Log App Appender Log App | false | INSIDE
            MappedWindow Appender Log App Headroom Log App | false | INSIDE
            MappedWindow Appender Log App Headroom Log App | true  | INSIDE
            Appender Log App MappedWindow Appender Log App | false | INSIDE
            """)
    void shouldTellByTheClassesOnTheStack(String stack, boolean lasts, Where where) {
        assertThat(looks(look -> lasts, stays(stack))).isEqualTo(where.looks);
    }

    /** It was in the short part of a call in between, which may be one of this log. */
    @Test
    void shouldFindItElsewhereTwiceInARow() {
        String elsewhere = "MappedWindow Appender Log App";
        assertThat(looks(look -> false, elsewhere, "Appender Log App", elsewhere, elsewhere, elsewhere))
                .isEqualTo(4);
        assertThat(looks(look -> false, elsewhere, "App", elsewhere)).isEqualTo(2);
    }

    /** What the log says has to be younger than the stack. */
    @Test
    void shouldAskTheLogAtEachLook() {
        String[] stacks = stays("MappedWindow Appender Log App");
        assertThat(looks(look -> look == 1, stacks)).isEqualTo(3);
        assertThat(looks(look -> look == 2, stacks)).isEqualTo(4);
    }

    private static String[] stays(String stack) {
        return Stream.generate(() -> stack).limit(STAYS).toArray(String[]::new);
    }

    /** How often another thread looks at one that is in these stacks in turn, and in none in the end. */
    private static int looks(IntPredicate lasts, String... stacks) {
        AtomicInteger looks = new AtomicInteger(1);
        CallingThread.Rule rule =
                AppenderStack.rules(() -> lasts.test(looks.get())).get();
        for (String stack : stacks) {
            if (!rule.isInside(stack(stack))) {
                return looks.get();
            }
            looks.incrementAndGet();
        }
        assertThat(rule.isInside(new StackTraceElement[0])).isFalse();
        return looks.get();
    }

    private static StackTraceElement[] stack(String classes) {
        return Stream.of(classes.split(" "))
                .map(name -> new StackTraceElement(CLASSES.getOrDefault(name, "app." + name), "method", null, 0))
                .toArray(StackTraceElement[]::new);
    }
}
