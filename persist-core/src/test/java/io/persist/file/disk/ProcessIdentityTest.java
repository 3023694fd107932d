package io.persist.file.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.persist.file.disk.ProcessIdentity.Presence;
import io.persist.support.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessIdentityTest {

    private final ProcessIdentity self = ProcessIdentity.current();

    @Test
    void shouldSeeItself() {
        assertThat(self.pid()).isEqualTo(ProcessHandle.current().pid());
        assertThat(self).isEqualTo(ProcessIdentity.current());
        assertThat(self.presence()).isEqualTo(Presence.ALIVE);
    }

    @Test
    void shouldNotTakeALaterProcessForTheOneThatHadItsPid() {
        assertThat(new ProcessIdentity(self.pid(), self.start() - 1, self.namespace()).presence())
                .isEqualTo(Presence.GONE);
        assertThat(new ProcessIdentity(Integer.MAX_VALUE, self.start(), self.namespace()).presence())
                .isEqualTo(Presence.GONE);
    }

    @Test
    void shouldSayThatItDoesNotKnow() {
        assertThat(new ProcessIdentity(self.pid(), 0, self.namespace()).presence())
                .isEqualTo(Presence.UNKNOWN);
        assertThat(new ProcessIdentity(Integer.MAX_VALUE, 0, self.namespace()).presence())
                .isEqualTo(Presence.GONE);
        assertThat(new ProcessIdentity(self.pid(), self.start(), self.namespace() + 1).presence())
                .isEqualTo(Presence.UNKNOWN);
    }

    /** In a container without an init process nobody ever asks how it ended. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldTakeAProcessThatHasEndedForGoneWhenNobodyHasAsked() throws Exception {
        String zombie = "sh -c 'echo $$; exec sleep 0' & exec sleep 600"; // who is its parent by then does not ask
        Process parent = new ProcessBuilder("sh", "-c", zombie).start();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(parent.getInputStream(), UTF_8))) {
            long pid = Long.parseLong(lines.readLine());
            Await.until("it has ended", () -> isZombie(pid));
            assertThat(ProcessIdentity.of(pid).start()).isPositive();
            assertThat(ProcessIdentity.of(pid).presence()).isEqualTo(Presence.GONE);
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    private static boolean isZombie(long pid) {
        return stat(pid).contains(") Z ");
    }

    private static String stat(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
