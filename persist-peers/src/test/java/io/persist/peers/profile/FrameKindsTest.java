package io.persist.peers.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which frames say what a thread is at, and which count for their callers. */
class FrameKindsTest {

    private static final String LOOP = "io/persist/peers/trial/AppendLoop.run";
    private static final String APPEND = "io/persist/log/write/Appender.append";

    @ParameterizedTest
    @CsvSource({
        "updateBytesCRC32C, CHECKSUM",
        "java/util/zip/CRC32C.update, CHECKSUM",
        "rocksdb::crc32c::Extend, CHECKSUM",
        "io/persist/format/FrameChecksum.of, CHECKSUM",
        "jlong_disjoint_arraycopy_avx3, COPY",
        "__memmove_avx_unaligned_erms, COPY",
        "jdk/internal/misc/Unsafe.copyMemory0, COPY",
        "jbyte_fill, COPY",
        "asm_exc_page_fault_[k], PAGES",
        "__x64_sys_munmap_[k], PAGES",
        "__mmap64, PAGES",
        "sun/nio/ch/UnixFileDispatcherImpl.map0, PAGES",
        "ksys_write_[k],",
        "__x64_sys_pwrite64_[k], DEVICE",
        "do_syscall_64_[k], DEVICE",
        "el0_svc_[k], DEVICE",
        "__GI_fdatasync, DEVICE",
        "msync, DEVICE",
        "__libc_pwrite64, DEVICE",
        "sun/nio/ch/FileDispatcherImpl.force0, DEVICE",
        "java/nio/MappedMemoryUtils.force0, DEVICE",
        "__x64_sys_futex_[k], WAITING",
        "__futex_abstimed_wait_common, WAITING",
        "jdk/internal/misc/Unsafe.park, WAITING",
        "ObjectMonitor::enter, WAITING",
        "irqentry_exit_to_user_mode_[k], REST",
        "asm_sysvec_apic_timer_interrupt_[k], REST",
        "io/persist/peers/trial/Replay$Order.read, REST",
        "CompileBroker::compile_method, REST",
        "io/persist/log/read/Tailer.next, JOURNAL",
        "io/persist/peers/engine/PersistEngine$LoneProducer.append, JOURNAL",
        "org/rocksdb/RocksDB.putDirect, JOURNAL",
        // Those that are in many kinds of work.
        "_raw_spin_unlock_irqrestore_[k],",
        "clear_page_erms_[k],",
        "__pi_memcpy_[k],",
        "java/lang/System.nanoTime,",
        "__vdso_clock_gettime,",
        "java/nio/channels/FileChannel.write,",
        "org/agrona/concurrent/UnsafeBuffer.putLong,",
        "rocksdb::DBImpl::WriteImpl,",
        "std::vector<int>::reserve,",
        "librocksdbjni123.so,",
        "Interpreter,",
    })
    void shouldKnowAFrame(String frame, Kind kind) {
        assertThat(FrameKinds.of(frame).orElse(null)).isEqualTo(kind);
    }

    @Test
    void shouldCountForTheInnermostFrameThatIsKnown() {
        assertThat(FrameKinds.of(List.of(LOOP, APPEND, "java/nio/Buffer.checkIndex")))
                .isEqualTo(new FrameKinds.Place(Kind.JOURNAL, APPEND));
        assertThat(FrameKinds.of(List.of(LOOP, "java/lang/System.nanoTime", "__vdso_clock_gettime")))
                .isEqualTo(new FrameKinds.Place(Kind.REST, LOOP));
        assertThat(kind(LOOP, APPEND, "jlong_arraycopy", "asm_exc_page_fault_[k]", "clear_page_erms_[k]"))
                .isEqualTo(Kind.PAGES);
        // A fault in what a system call copies, and an interrupt.
        assertThat(kind(LOOP, APPEND, "write", "do_syscall_64_[k]", "handle_mm_fault_[k]", "memcpy_[k]"))
                .isEqualTo(Kind.PAGES);
        assertThat(kind(LOOP, APPEND, "write", "do_syscall_64_[k]", "sysvec_reschedule_ipi_[k]"))
                .isEqualTo(Kind.REST);
        assertThat(kind(LOOP, APPEND, "write", "do_syscall_64_[k]", "ext4_write_[k]", "memcpy_[k]"))
                .isEqualTo(Kind.DEVICE);
        assertThat(kind("unknown")).isEqualTo(Kind.REST);
    }

    private static Kind kind(String... stack) {
        return FrameKinds.of(List.of(stack)).kind();
    }
}
