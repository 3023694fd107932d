package io.persist.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpeningTest {

    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldCloseTheLastFirstIfTheWholeDoesNotComeAbout() {
        IllegalStateException failure = new IllegalStateException("third");
        assertThatThrownBy(() -> {
                    try (Opening opening = new Opening()) {
                        opening.add("first", closed::add);
                        opening.add("second", closed::add);
                        throw failure;
                    }
                })
                .isSameAs(failure);
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void shouldCloseNothingOnceItIsDone() {
        try (Opening opening = new Opening()) {
            assertThat(opening.add("part", closed::add)).isEqualTo("part");
            assertThat(opening.done("whole")).isEqualTo("whole");
        }
        assertThat(closed).isEmpty();
    }

    @Test
    void shouldCloseTheRestWhateverOneThrows() {
        IllegalStateException failure = new IllegalStateException("third");
        assertThatThrownBy(() -> {
                    try (Opening opening = new Opening()) {
                        opening.add("first", closed::add);
                        opening.add("second", second -> {
                            closed.add(second);
                            throw new IllegalArgumentException(second);
                        });
                        throw failure;
                    }
                })
                .isSameAs(failure)
                .hasSuppressedException(new IllegalArgumentException("second"));
        assertThat(closed).containsExactly("second", "first");
    }
}
