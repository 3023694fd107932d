package io.persist.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.System.Logger.Level;
import org.junit.jupiter.api.Test;

class NoLoggingTest {

    /** The programs print by themselves what Persist tells an application's logging. */
    @Test
    void shouldBeTheLoggingOfThePrograms() {
        assertThat(System.LoggerFinder.getLoggerFinder()).isInstanceOf(NoLogging.class);
        assertThat(System.getLogger("io.persist.open").isLoggable(Level.ERROR)).isFalse();
    }
}
