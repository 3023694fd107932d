package io.persist.file.disk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShellWordTest {

    @Test
    void shouldLeaveAPlainPathAsItIs() {
        assertThat(ShellWord.of("/var/lib/orders-2/log_1.d")).isEqualTo("/var/lib/orders-2/log_1.d");
    }

    @Test
    void shouldQuoteWhatAShellWouldTakeForSomethingElse() {
        assertThat(ShellWord.of("/my log")).isEqualTo("'/my log'");
        assertThat(ShellWord.of("it's $HOME")).isEqualTo("'it'\\''s $HOME'");
        assertThat(ShellWord.of("")).isEqualTo("''");
    }
}
