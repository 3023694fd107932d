package io.persist.bench.doctor.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostTest {

    @TempDir
    Path root;

    @Test
    void shouldReadWhatIsThere() {
        Host host = Host.read(new FakeSystem(root)
                .file("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some CPU 3000\nmodel name\t: other")
                .file(
                        "proc/meminfo",
                        "MemTotal:       1024 kB\nSwapTotal:  2048 kB\nSwapFree:  1024 kB\nHugePages_Total:       0")
                .file("proc/sys/kernel/osrelease", "6.18.1")
                .file("proc/loadavg", "1.25 0.50 0.10 2/300 12345")
                .file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never")
                .file("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave")
                .files());

        assertThat(host.cpuModel()).isEqualTo("Some CPU 3000");
        assertThat(host.memoryBytes()).isEqualTo(1 << 20);
        assertThat(host.swapBytes()).isEqualTo(2 << 20);
        assertThat(host.swapUsedBytes()).isEqualTo(1 << 20);
        assertThat(host.kernel()).isEqualTo("6.18.1");
        assertThat(host.hugePages()).isEqualTo("madvise");
        assertThat(host.governor()).isEqualTo("powersave");
        assertThat(host.load()).isEqualTo(1.25);
        assertThat(host.cpus()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(host.cpuLimit()).isNull();
    }

    @Test
    void shouldTakeTheNarrowestLimitOfAllGroupsAbove() {
        Host host = Host.read(new FakeSystem(root)
                .file("proc/self/cgroup", "0::/a/b")
                .file("sys/fs/cgroup/a/cpu.max", "50000 100000")
                .file("sys/fs/cgroup/a/b/cpu.max", "200000 100000")
                .file("sys/fs/cgroup/cpu.max", "300000 100000")
                .file("sys/fs/cgroup/a/b/memory.max", "1048576")
                .file("sys/fs/cgroup/a/memory.max", "max")
                .file("sys/fs/cgroup/a/b/io.max", "259:0 wbps=1048576")
                .files());

        assertThat(host.cpuLimit()).isEqualTo(0.5);
        assertThat(host.memoryLimit()).isEqualTo(1 << 20);
        assertThat(host.ioLimit()).isEqualTo("259:0 wbps=1048576");
    }

    @Test
    void shouldReadTheGroupsOfVersionOneWhereTheContainerShowsThem() {
        Host host = Host.read(new FakeSystem(root)
                .file("proc/self/cgroup", "4:memory:/docker/123\n2:cpu,cpuacct:/docker/123")
                .file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "150000")
                .file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000")
                .file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712")
                .files());

        assertThat(host.cpuLimit()).isEqualTo(1.5);
        assertThat(host.memoryLimit()).isNull();
    }

    @Test
    void shouldKnowNothingWithoutFilesAndNotFail() throws IOException {
        Facts facts = Facts.read(new SystemFiles(root.resolve("nothing")), root);

        assertThat(facts.mount()).isNull();
        assertThat(facts.asMap())
                .containsEntry("mount point", "unknown")
                .containsEntry("device", "unknown")
                .containsEntry("write cache", "unknown")
                .containsEntry("CPU", "unknown")
                .containsEntry("memory", "unknown")
                .containsEntry("swap", "unknown");
        assertThat(facts.asMap().values()).doesNotContainNull().noneMatch(value -> value.contains("null"));
    }
}
